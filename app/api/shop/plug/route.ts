export { pullPlug as POST, readPlug as GET } from "#lib/shop/server/plug.ts";
