export { default, generateMetadata } from "../../help/centre-page.tsx";
