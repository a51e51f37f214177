#!/usr/bin/env bash
# Installs what the fault scripts need of the system: strace, libeatmydata, ext4 tools, mount.
set -euo pipefail
missing=()
command -v strace > /dev/null || missing+=(strace)
command -v mkfs.ext4 > /dev/null || missing+=(e2fsprogs)
command -v mount > /dev/null || missing+=(mount)
ls /usr/lib/*/libeatmydata.so > /dev/null 2>&1 || missing+=(libeatmydata1)
[ ${#missing[@]} -eq 0 ] && exit 0
[ "$(id -u)" = 0 ] || { echo "install.sh: needs root to install ${missing[*]}" >&2; exit 1; }
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
