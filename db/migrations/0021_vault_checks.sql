CREATE TABLE "vault_checks" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
