ALTER TABLE "channels" ADD COLUMN "expired_cursor_secret" text;--> statement-breakpoint
ALTER TABLE "lab_faults" ADD COLUMN "at" text DEFAULT 'request' NOT NULL;--> statement-breakpoint
ALTER TABLE "lab_faults" ADD COLUMN "chat_id" text;