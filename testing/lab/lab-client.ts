export * from "../../channel/lab/lab-client.ts";
