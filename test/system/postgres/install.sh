#!/usr/bin/env bash
# Installs PostgreSQL from Debian's packages for the suite "postgres", when it is missing. It makes no cluster and starts no
# service: the tests start servers of their own.
set -euo pipefail
for bin in "$(dirname "$(command -v initdb || echo /none/initdb)")" /usr/lib/postgresql/*/bin; do
  [ -x "$bin/initdb" ] && [ -x "$bin/pg_ctl" ] && [ -x "$bin/psql" ] && exit 0
done
[ "$(id -u)" = 0 ] || { echo "install.sh: needs root to install postgresql" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends postgresql-common
conf=/etc/postgresql-common/createcluster.conf
sed -i '/^ *create_main_cluster/d' "$conf"
echo 'create_main_cluster = false' >> "$conf"
apt-get install -y -qq --no-install-recommends postgresql
