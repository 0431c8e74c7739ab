/** The minimal proxy behind iron-session, which unseals the cookie for each request. */
import { getIronSession } from "iron-session";
import { cookies } from "next/headers";
import { pipe } from "../../../pipe.ts";

export const dynamic = "force-dynamic";

type Params = Parameters<typeof pipe>[1];
interface Content {
  user?: string;
}

const options = { cookieName: "sealed", password: process.env["SESSION_SECRET"] ?? "" };

async function sealed(request: Request, context: Params): Promise<Response> {
  const session = await getIronSession<Content>(await cookies(), options);
  if ((await context.params).path.join("/") === "session") {
    session.user = "customer-1";
    await session.save();
    return Response.json({});
  }
  if (session.user === undefined) return new Response(null, { status: 401 });
  return pipe(request, context);
}

export const GET = sealed;
export const POST = sealed;
