export { default, generateMetadata } from "../../../help/article-page.tsx";
