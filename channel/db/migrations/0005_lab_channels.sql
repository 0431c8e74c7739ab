ALTER TABLE "channels" ADD COLUMN "chat_key" text;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "team_key" text;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_team_key" UNIQUE("team_key");