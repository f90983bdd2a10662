# pwpipe serve, as two images for linux/amd64 and linux/arm64: with a driver and a browser
# inside; and (attach) without a browser, for one that runs elsewhere.
#
#   docker build -t pwpipe .
#   docker run --rm -e API_KEY=change-me -p 127.0.0.1:3337:3337 pwpipe
#   docker build --target attach -t pwpipe-attach .
#
# Chromium needs user namespaces for its own sandbox, which engines forbid by default.
# --security-opt seccomp=deploy/seccomp.json allows them. PWPIPE_BROWSER_SANDBOX=on then
# makes sure of the sandbox.

# The builder says for which architecture.
ARG TARGETARCH

FROM golang:1.26-trixie AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# What `pwpipe --version` says: the folder that is built here has no .git.
ARG VERSION
ARG COMMIT
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w ${VERSION:+-X main.version=${VERSION}} -X main.commit=${COMMIT}" \
  -o /out/pwpipe ./cmd/pwpipe

# The driver, fetched and checked by pwpipe itself; then axe-core and, on amd64, the
# browser.
FROM node:22-trixie-slim AS driver
COPY --from=build /out/pwpipe /usr/local/bin/pwpipe
ENV PWPIPE_CACHE=/opt/pwpipe
RUN pwpipe install --driver-only

FROM driver AS parts-amd64
RUN pwpipe install --axe

FROM driver AS parts-arm64
RUN pwpipe install --driver-only --axe

# hadolint ignore=DL3006
FROM parts-${TARGETARCH:-amd64} AS parts

FROM debian:trixie-slim AS service
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates libatomic1 libexpat1 libstdc++6 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home --home-dir /home/pwpipe pwpipe
COPY --from=driver /usr/local/bin/node /usr/local/bin/node
COPY --from=build /out/pwpipe /usr/local/bin/pwpipe
ENV PWPIPE_CACHE=/opt/pwpipe PORT=3337
USER 10001
WORKDIR /home/pwpipe
EXPOSE 3337
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=3 \
  CMD ["pwpipe", "serve", "--check", "healthz", "--addr", "127.0.0.1:3337"]
# Wide inside the container; what is published outside is the caller's choice.
# It does not start without API_KEY.
ENTRYPOINT ["tini", "--", "pwpipe", "serve"]
CMD ["--addr", "0.0.0.0:3337"]

FROM service AS attach
COPY --from=driver /opt/pwpipe /opt/pwpipe

FROM service AS whole-amd64
COPY --from=parts /opt/pwpipe /opt/pwpipe

# npm has no headless Chromium for arm64. Debian has a whole one.
FROM service AS whole-arm64
USER 0
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends chromium chromium-sandbox fonts-liberation \
 && rm -rf /var/lib/apt/lists/*
USER 10001
COPY --from=parts /opt/pwpipe /opt/pwpipe
ENV PWPIPE_BROWSER=/usr/bin/chromium

# hadolint ignore=DL3006
FROM whole-${TARGETARCH:-amd64}
ENV PWPIPE_BROWSER_SANDBOX=auto
