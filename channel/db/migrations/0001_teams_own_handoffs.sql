ALTER TABLE "handoffs" ALTER COLUMN "operation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "handoffs" ALTER COLUMN "confirmation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ALTER COLUMN "created_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "handoffs" ADD COLUMN "is_automatic" boolean DEFAULT false NOT NULL;