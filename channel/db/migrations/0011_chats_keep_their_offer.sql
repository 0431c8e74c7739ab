ALTER TABLE "chats" ADD COLUMN "latest_offer" text;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "streamed_text" text;--> statement-breakpoint
UPDATE "chats" SET "latest_offer" = json_build_object('confirmationId', "confirmation_id",
  'requiresEmail', "requires_email", 'details', "details"::json)::text
FROM "handoff_offers" WHERE "confirmation_id" = "latest_offer_id";--> statement-breakpoint
DROP TABLE "handoff_offers" CASCADE;--> statement-breakpoint
DROP TABLE "turn_deltas" CASCADE;--> statement-breakpoint
ALTER TABLE "chats" DROP COLUMN "latest_offer_id";--> statement-breakpoint
UPDATE "channels" SET "hours" = jsonb_set("hours"::jsonb, '{closures}', (
  SELECT coalesce(jsonb_agg("closure"), '[]') FROM jsonb_array_elements("hours"::jsonb -> 'closures') AS "closure"
  WHERE "closure" ->> 'date' IS NOT NULL))::text
WHERE "hours" IS NOT NULL;