export { endSession as DELETE, readSession as GET, startSession as POST } from "#lib/shop/server/session.ts";
