import { Suspense } from "react";
import { ChatWidget } from "shop-chat/react";
import "shop-chat/style.css";
import { auth } from "@/auth";

export const metadata = { title: "Tarn & Tread" };

async function SignedInChat() {
  const session = await auth();
  return <ChatWidget customer={session?.user?.id ?? null} agentName="Wren" shopName="Tarn & Tread" />;
}

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <Suspense>
          <SignedInChat />
        </Suspense>
      </body>
    </html>
  );
}
