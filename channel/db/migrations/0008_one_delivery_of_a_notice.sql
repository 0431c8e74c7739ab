DELETE FROM "outbox" WHERE "delivered_at" IS NOT NULL;--> statement-breakpoint
DROP INDEX "outbox_pending";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "outbox_pending" ON "outbox" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "outbox" DROP COLUMN "delivered_at";