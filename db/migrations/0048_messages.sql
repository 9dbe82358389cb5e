CREATE TABLE "conversation_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"conversation_id" text NOT NULL,
	"author" text NOT NULL,
	"staff_id" text,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "conversation_messages_author" CHECK (author in ('customer', 'staff')),
	CONSTRAINT "conversation_messages_staff" CHECK ((author = 'staff') = (staff_id is not null))
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text,
	"email" text,
	"order_id" text,
	"order_number" text,
	"locale" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"waiting_since" timestamp with time zone DEFAULT shop_now(),
	"last_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "conversations_state" CHECK (state in ('waiting', 'answered', 'closed')),
	CONSTRAINT "conversations_address" CHECK (user_id is not null or email is not null),
	CONSTRAINT "conversations_waits" CHECK ((state = 'waiting') = (waiting_since is not null)),
	CONSTRAINT "conversations_closing" CHECK ((state = 'closed') = (closed_at is not null))
);
--> statement-breakpoint
CREATE TABLE "stored_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"texts" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "conversation_messages" ADD CONSTRAINT "conversation_messages_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversation_messages_of" ON "conversation_messages" USING btree ("conversation_id","created_at","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_waiting" ON "conversations" USING btree ("waiting_since","id") WHERE state = 'waiting';--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_by_state" ON "conversations" USING btree ("state","last_at","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_of_user" ON "conversations" USING btree ("user_id","last_at","id") WHERE user_id is not null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_by_email" ON "conversations" USING btree ("email","last_at","id") WHERE email is not null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_of_order" ON "conversations" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "conversations_closed" ON "conversations" USING btree ("closed_at") WHERE state = 'closed';--> statement-breakpoint
INSERT INTO conversations (id, user_id, email, order_number, locale, state, waiting_since, last_at, created_at, closed_at)
SELECT replace(m.id, 'msg_', 'cnv_'), (SELECT u.id FROM users u WHERE u.id = m.user_id), m.email, m.order_number, m.locale, 'closed', NULL, m.created_at, m.created_at, m.created_at
FROM contact_messages m ON CONFLICT (id) DO NOTHING;
--> statement-breakpoint
INSERT INTO conversation_messages (id, conversation_id, author, text, created_at)
SELECT m.id, replace(m.id, 'msg_', 'cnv_'), 'customer', m.message, m.created_at FROM contact_messages m ON CONFLICT (id) DO NOTHING;
