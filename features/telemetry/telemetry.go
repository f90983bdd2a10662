package telemetry

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"pwpipe/cmd/program"
	"pwpipe/provider"
)

// flushTime is how long the end of the process waits for the last spans.
const flushTime = 2 * time.Second

// tracing reports whether the environment asks for traces: OpenTelemetry's own variables.
func tracing() (bool, error) {
	endpoint := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "none":
		return false, nil
	case "otlp":
	case "":
		if endpoint == "" {
			return false, nil
		}
	default:
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER: expected otlp or none, got %q", exporter)
	}
	protocol := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
	if protocol != "" && protocol != "http/protobuf" {
		return false, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: expected http/protobuf, got %q", protocol)
	}
	return true, nil
}

// traceCalls sends a span of each call to a collector, if the environment names one. A span has
// the tool, the page's handle and the kind of an error; no parameters, results or messages.
func traceCalls(log *slog.Logger, t *provider.Table, version string) (stop func(), err error) {
	on, err := tracing()
	if !on || err != nil {
		return func() {}, err
	}
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OpenTelemetry: %w", err)
	}
	what, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(
			attribute.String("service.name", "pwpipe"), attribute.String("service.version", version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OpenTelemetry: %w", err)
	}
	var once sync.Once // a collector that is away is named once
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		once.Do(func() { log.Warn("no traces are sent", "error", err) })
	}))
	spans := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(what))
	followCalls(t, spans.Tracer("pwpipe", trace.WithInstrumentationVersion(version)))
	return func() {
		ctx, cancel := context.WithTimeout(ctx, flushTime)
		defer cancel()
		if err := spans.Shutdown(ctx); err != nil {
			otel.Handle(err)
		}
	}, nil
}

// followCalls makes a span of each call. Its parent is the call that made it, or else the span
// that the sender names, or else that of TRACEPARENT.
func followCalls(t *provider.Table, tracer trace.Tracer) {
	var format propagation.TraceContext
	ours := format.Extract(context.Background(), carrier(func(key string) string {
		return os.Getenv(strings.ToUpper(key))
	}))
	t.Trace(provider.Tracer{
		Incoming: func(ctx context.Context, get func(key string) string) context.Context {
			return format.Extract(ctx, carrier(get))
		},
		Start: func(ctx context.Context, r provider.Request) context.Context {
			if !trace.SpanContextFromContext(ctx).IsValid() {
				ctx = trace.ContextWithRemoteSpanContext(ctx, trace.SpanContextFromContext(ours))
			}
			kind := trace.SpanKindServer
			if r.IsPart() {
				kind = trace.SpanKindInternal
			}
			ctx, span := tracer.Start(ctx, program.ToolName(t, r), trace.WithSpanKind(kind))
			if program.IsHandle(r.Page) {
				span.SetAttributes(attribute.String("pwpipe.page", r.Page))
			}
			return ctx
		},
	})
	t.OnCall(func(ctx context.Context, _ provider.Request, _ time.Duration, err *provider.Error) {
		span := trace.SpanFromContext(ctx)
		if err != nil {
			span.SetAttributes(attribute.String("error.type", string(err.Kind)))
			span.SetStatus(codes.Error, "")
		}
		span.End()
	})
}

// carrier reads what a sender says of its trace: [propagation.TextMapCarrier].
type carrier func(key string) string

func (c carrier) Get(key string) string { return c(key) }
func (carrier) Set(string, string)      {}
func (carrier) Keys() []string          { return nil }
