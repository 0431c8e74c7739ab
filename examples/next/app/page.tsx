export default function Page() {
  return <h1>Tarn & Tread</h1>;
}
