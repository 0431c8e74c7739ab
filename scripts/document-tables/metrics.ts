/** The table of docs/operations.md, from the metrics themselves. */
import { createMetrics } from "#lib/bff/observability/metrics.ts";
import { code, table } from "../../channel/openapi/fill-tables.ts";

const { text } = await createMetrics("/api/chat").expose();
// The package's own metrics differ between platforms.
const described = text.matchAll(/^# HELP (chat_bff_\w+) (.*)\n# TYPE \w+ (\w+)$/gm);
const rows = Array.from(described, ([, name = "", help = "", type = ""]) => [code(name), type, help]);

export const metricsTables = { metrics: () => table(["metric", "type", "is"], rows) };
