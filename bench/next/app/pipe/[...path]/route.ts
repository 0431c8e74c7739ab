/** A minimal proxy: adds the key and pipes every body. */
import { pipe } from "../../../pipe.ts";

export const dynamic = "force-dynamic";
export const GET = pipe;
export const POST = pipe;
