#!/bin/sh
# Makes the secrets of compose.yaml in deploy/secrets, each once. Keep a copy of the vault's two outside of the machine.
set -eu
cd "$(dirname "$0")"
mkdir -p -m 700 secrets
make() { [ -e "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }
make auth_secret "$(openssl rand -base64 48)"
make vault_key "$(openssl rand -base64 32)"
make vault_keys_old "" # filled while keys are rotated
make vault_hash_key "$(openssl rand -base64 32)"
make stripe_webhook_secret "whsec_$(openssl rand -base64 24)"
make postgres_password "$(openssl rand -hex 24)"
make database_url "postgres://passlane:$(cat secrets/postgres_password)@postgres:5432/passlane"
chmod 644 secrets/* # the users of the containers read them; nobody else enters the folder
