ALTER TABLE "files" DROP COLUMN "operation_id";--> statement-breakpoint
DELETE FROM "key_tombstones" WHERE "reason" = 'expired';--> statement-breakpoint
ALTER TABLE "key_tombstones" DROP COLUMN "reason";
