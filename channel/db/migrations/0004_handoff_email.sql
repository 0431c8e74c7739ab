ALTER TABLE "chats" ADD COLUMN "handoff_email" text;--> statement-breakpoint
UPDATE "chats" SET "handoff_email" = (
	SELECT "email" FROM "handoffs" WHERE "chat_id" = "chats"."id" ORDER BY "requested_at" DESC LIMIT 1
) WHERE "handoff_status" IS NOT NULL;--> statement-breakpoint
DROP TABLE "handoffs" CASCADE;
