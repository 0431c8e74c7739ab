export default function Page() {
  return <h1>Elsewhere</h1>;
}
