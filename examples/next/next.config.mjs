// Variables that are already set win. A host of your own has .env.local.
process.loadEnvFile("../local.env");

export default {};
