export default function Home() {
  return <main>Shop Chat</main>;
}
