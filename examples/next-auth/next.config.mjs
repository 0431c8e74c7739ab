import { existsSync } from "node:fs";

// Variables that are already set, as by Next from .env.local, win.
if (existsSync("../local.env")) process.loadEnvFile("../local.env");

export default {};
