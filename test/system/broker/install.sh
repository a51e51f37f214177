#!/usr/bin/env bash
# Installs RabbitMQ from Debian's packages for the suite "broker", when it is missing. It starts no service: the test starts a broker
# of its own.
set -euo pipefail
[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] && exit 0
[ "$(id -u)" = 0 ] || { echo "install.sh: needs root to install rabbitmq-server" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
trap 'rm -f /usr/sbin/policy-rc.d' EXIT
apt-get install -y -qq --no-install-recommends rabbitmq-server
