#!/bin/sh
# What some tests need from the system: a spreadsheet that recalculates, a reader of PDF pages, a browser, a database,
# network namespaces.
# Installed where that can be done unasked (Debian, as root); else it is said, and those tests say so too and are skipped.
set -u
missing=""
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need pdftotext poppler-utils
need soffice libreoffice-calc
need chromium chromium
need ip iproute2
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$missing postgresql"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing$missing ..."
	log=$(mktemp)
	if { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing; } >"$log" 2>&1
	then rm -f "$log"; exit 0; fi
	echo "could not be installed:$missing (see $log)"
else
	echo "not installed:$missing"
fi
echo "the tests that need them are skipped, and say so"
