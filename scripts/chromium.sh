#!/bin/sh
# Install the browser that the tests of the page use, unless it is there.
set -eu

command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1 && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Install Chromium and ChromeDriver first; without apt this cannot be done here." >&2
    exit 1
fi
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
echo "Installing Chromium ..." >&2
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
    chromium chromium-driver fonts-dejavu-core >/dev/null
