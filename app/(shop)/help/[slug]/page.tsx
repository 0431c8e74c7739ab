export { default, generateMetadata } from "../article-page.tsx";
