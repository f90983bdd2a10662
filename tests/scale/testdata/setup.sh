#!/usr/bin/env bash
# setup.sh DIR: the jars of a Selenium Grid, by Maven, into DIR. Java 11 or newer,
# chromedriver and the Chromium that it is for come from the machine's own packages:
#   apt-get install default-jre-headless maven chromium chromium-driver haproxy
set -euo pipefail
mvn -q -B -f "$(dirname "$0")/pom.xml" dependency:copy-dependencies -DoutputDirectory="$1"
