CREATE TABLE "channels" (
	"key" text PRIMARY KEY NOT NULL,
	"published" boolean DEFAULT true NOT NULL,
	"suspended" boolean DEFAULT false NOT NULL,
	"clock_offset_ms" bigint DEFAULT 0 NOT NULL,
	"limits" text DEFAULT '{}' NOT NULL,
	"hours" text,
	"cursor_secret" text NOT NULL,
	"chat_count" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" text PRIMARY KEY NOT NULL,
	"channel_key" text NOT NULL,
	"user_id" text NOT NULL,
	"locale" text NOT NULL,
	"mode" text NOT NULL,
	"teammate_name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"history_complete" boolean DEFAULT true NOT NULL,
	"handoff_status" text,
	"handoff_requested_at" timestamp (3) with time zone,
	"handoff_requires_email" boolean,
	"handoff_next_available_at" timestamp (3) with time zone,
	"handoff_timezone" text,
	"active_operation_id" text,
	"last_sequence" integer DEFAULT 0 NOT NULL,
	"operation_count" integer DEFAULT 0 NOT NULL,
	"latest_offer_id" text
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"chat_id" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_parts" (
	"storage_key" text NOT NULL,
	"part" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"stored_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "file_parts_storage_key_part_pk" PRIMARY KEY("storage_key","part")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"operation_id" text NOT NULL,
	"storage_key" text,
	"filename" text NOT NULL,
	"media_type" text NOT NULL,
	"byte_size" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"is_ready" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "handoff_offers" (
	"confirmation_id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text NOT NULL,
	"requires_email" boolean NOT NULL,
	"next_available_at" timestamp (3) with time zone,
	"timezone" text,
	"details" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "handoffs" (
	"id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"operation_id" text NOT NULL,
	"confirmation_id" text NOT NULL,
	"email" text,
	"locale" text NOT NULL,
	"status" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"teammate_name" text
);
--> statement-breakpoint
CREATE TABLE "key_tombstones" (
	"channel_key" text NOT NULL,
	"key_hash" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "key_tombstones_channel_key_key_hash_pk" PRIMARY KEY("channel_key","key_hash")
);
--> statement-breakpoint
CREATE TABLE "lab_faults" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lab_faults_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"channel_key" text NOT NULL,
	"operation" text NOT NULL,
	"fault" text NOT NULL,
	"code" text,
	"after_deltas" integer,
	"milliseconds" integer,
	"remaining" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lab_replies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "lab_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"channel_key" text NOT NULL,
	"chat_id" text,
	"reply" text NOT NULL,
	"taken_by" text
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"author_name" text,
	"attachments" text DEFAULT '{}' NOT NULL,
	"reply_of_operation_id" text,
	CONSTRAINT "messages_one_reply_per_turn" UNIQUE("reply_of_operation_id")
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"id" text PRIMARY KEY NOT NULL,
	"channel_key" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"chat_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"fence" integer DEFAULT 1 NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"owner" integer,
	"lease_until" timestamp (3) with time zone,
	"message_id" text,
	"reply_id" text,
	"trigger" text,
	"result" text,
	"error_code" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" text PRIMARY KEY NOT NULL,
	"chat_id" text NOT NULL,
	"kind" text NOT NULL,
	"payload" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"delivered_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"channel_key" text PRIMARY KEY NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"requests" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turn_deltas" (
	"operation_id" text NOT NULL,
	"fence" integer NOT NULL,
	"sequence" integer NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "turn_deltas_operation_id_fence_sequence_pk" PRIMARY KEY("operation_id","fence","sequence")
);
--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_channel_key_channels_key_fk" FOREIGN KEY ("channel_key") REFERENCES "public"."channels"("key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handoff_offers" ADD CONSTRAINT "handoff_offers_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "handoffs" ADD CONSTRAINT "handoffs_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lab_replies" ADD CONSTRAINT "lab_replies_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "turn_deltas" ADD CONSTRAINT "turn_deltas_operation_id_operations_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chats_by_channel" ON "chats" USING btree ("channel_key","created_at","id");--> statement-breakpoint
CREATE INDEX "chats_by_mode" ON "chats" USING btree ("channel_key","mode","updated_at");--> statement-breakpoint
CREATE INDEX "files_of_chat" ON "files" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "files_unsent" ON "files" USING btree ("expires_at") WHERE "files"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "handoff_offers_of_chat" ON "handoff_offers" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "handoffs_of_chat" ON "handoffs" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "key_tombstones_until" ON "key_tombstones" USING btree ("channel_key","until");--> statement-breakpoint
CREATE UNIQUE INDEX "lab_replies_taken" ON "lab_replies" USING btree ("taken_by");--> statement-breakpoint
CREATE UNIQUE INDEX "messages_in_order" ON "messages" USING btree ("chat_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "operations_by_key" ON "operations" USING btree ("channel_key","key");--> statement-breakpoint
CREATE INDEX "operations_of_chat" ON "operations" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "operations_running" ON "operations" USING btree ("channel_key","created_at") WHERE "operations"."state" = 'running';--> statement-breakpoint
CREATE INDEX "operations_creating" ON "operations" USING btree ("channel_key","created_at") WHERE "operations"."kind" = 'createChat';--> statement-breakpoint
CREATE INDEX "outbox_pending" ON "outbox" USING btree ("created_at") WHERE "outbox"."delivered_at" is null;