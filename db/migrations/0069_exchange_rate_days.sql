CREATE TABLE "exchange_rate_days" (
	"day" date PRIMARY KEY NOT NULL,
	"rates" jsonb NOT NULL
);
