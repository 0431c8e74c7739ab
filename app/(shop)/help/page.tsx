export { default, generateMetadata } from "./centre-page.tsx";
