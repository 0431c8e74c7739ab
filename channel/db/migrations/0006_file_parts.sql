ALTER TABLE "file_parts" ADD COLUMN "file_id" text;--> statement-breakpoint
UPDATE "file_parts" SET "file_id" = "files"."id" FROM "files" WHERE "files"."storage_key" = "file_parts"."storage_key";--> statement-breakpoint
DELETE FROM "file_parts" WHERE "file_id" IS NULL;--> statement-breakpoint
ALTER TABLE "file_parts" DROP CONSTRAINT "file_parts_storage_key_part_pk";--> statement-breakpoint
ALTER TABLE "file_parts" ADD CONSTRAINT "file_parts_file_id_part_pk" PRIMARY KEY("file_id","part");--> statement-breakpoint
ALTER TABLE "file_parts" ADD CONSTRAINT "file_parts_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_parts" DROP COLUMN "storage_key";--> statement-breakpoint
ALTER TABLE "file_parts" DROP COLUMN "stored_at";--> statement-breakpoint
ALTER TABLE "files" DROP COLUMN "storage_key";
