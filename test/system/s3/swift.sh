#!/usr/bin/env bash
# Runs a command beside an S3-speaking server of its own: OpenStack Swift from Debian's packages, with its S3 API.
#   test/system/s3/swift.sh COMMAND [ARGUMENT …]
# Installs the packages when they are missing (as root), gives ATOLL_S3_ENDPOINT to the command, and stops every process it
# started. Fails loudly when Swift cannot be had.
set -euo pipefail

packages=(swift-proxy swift-account swift-container swift-object memcached)
if ! command -v swift-proxy-server swift-account-server swift-container-server swift-object-server memcached > /dev/null; then
  echo "swift.sh: installing ${packages[*]}" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y -qq --no-install-recommends "${packages[@]}" > /tmp/atoll-swift-install.log 2>&1 ||
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${packages[@]}"; } > /tmp/atoll-swift-install.log 2>&1 ||
    { tail -20 /tmp/atoll-swift-install.log >&2; echo "swift.sh: Swift cannot be installed. Run as root: apt-get install ${packages[*]}" >&2; exit 1; }
fi

here=$(mktemp -d /tmp/atoll-swift.XXXXXX)
started=()
stop() {
  for process in "${started[@]}"; do kill "$process" 2> /dev/null || true; done
  for process in "${started[@]}"; do wait "$process" 2> /dev/null || true; done
  rm -rf "$here"
}
trap stop EXIT
trap 'exit 130' INT TERM

# Five free ports, asked of the system.
read -r proxy object container account cache < <(node -e '
const { createServer } = require("node:net");
const servers = Array.from({ length: 5 }, () => createServer().listen(0, "127.0.0.1"));
setTimeout(() => { console.log(servers.map((one) => one.address().port).join(" ")); servers.forEach((one) => one.close()); }, 50);')

user=$(id -un)
mkdir -p "$here/devices/d1"
printf '[swift-hash]\nswift_hash_path_suffix = atoll\nswift_hash_path_prefix = atoll\n[storage-policy:0]\nname = one\ndefault = yes\n' > "$here/swift.conf"
for kind in account container object; do
  port=${!kind}
  cat > "$here/$kind.conf" << EOF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $port
workers = 0
user = $user
swift_dir = $here
devices = $here/devices
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = $kind-server
[app:$kind-server]
use = egg:swift#$kind
[$kind-replicator]
[$kind-auditor]
[$kind-updater]
EOF
  (cd "$here" && swift-ring-builder "$kind.builder" create 4 1 0 > /dev/null &&
    swift-ring-builder "$kind.builder" add "r1z1-127.0.0.1:$port/d1" 1 > /dev/null &&
    swift-ring-builder "$kind.builder" rebalance > /dev/null)
done
cat > "$here/proxy.conf" << EOF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $proxy
workers = 0
user = $user
swift_dir = $here
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$cache
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_atoll_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
EOF

export SWIFT_DIR="$here"
memcached -l 127.0.0.1 -p "$cache" -u "$user" > "$here/memcached.log" 2>&1 &
started+=($!)
for kind in account container object proxy; do
  # Swift asks for its hash prefix in /etc/swift unless it is told of another place.
  /usr/bin/python3 - "$kind" "$here" > "$here/$kind.log" 2>&1 << 'EOF' &
import sys
kind, here = sys.argv[1:]
from swift.common import utils
utils.SWIFT_CONF_FILE = here + '/swift.conf'
utils.HASH_PATH_SUFFIX = b'atoll'
utils.HASH_PATH_PREFIX = b'atoll'
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(f'{here}/{kind}.conf', f'{kind}-server', verbose=True))
EOF
  started+=($!)
done

export ATOLL_S3_ENDPOINT="http://127.0.0.1:$proxy"
# Each of the servers, because the proxy answers for others that are not there yet. A server that has ended is not waited for.
answers() {
  for port in "$account" "$container" "$object" "$proxy"; do curl -s -o /dev/null "http://127.0.0.1:$port/" || return 1; done
}
for _ in $(seq 1 600); do
  if answers; then answered=yes; break; fi
  for process in "${started[@]}"; do kill -0 "$process" 2> /dev/null || break 2; done
  sleep 0.2
done
if [ "${answered:-no}" != yes ]; then
  tail -n 20 "$here"/*.log >&2
  echo "swift.sh: Swift never answered" >&2
  exit 1
fi
echo "swift.sh: Swift answers at $ATOLL_S3_ENDPOINT" >&2
status=0
"$@" || status=$?
if [ "$status" != 0 ]; then tail -n 15 "$here"/*.log >&2; fi
exit "$status"
