CREATE TABLE "chat_counts" (
	"channel_key" text NOT NULL,
	"part" integer NOT NULL,
	"chats" integer NOT NULL,
	CONSTRAINT "chat_counts_channel_key_part_pk" PRIMARY KEY("channel_key","part")
);
--> statement-breakpoint
INSERT INTO "chat_counts" SELECT "key", 0, "chat_count" FROM "channels";--> statement-breakpoint
ALTER TABLE "channels" DROP COLUMN "limits";--> statement-breakpoint
ALTER TABLE "channels" DROP COLUMN "chat_count";