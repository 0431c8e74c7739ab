import { ChatWidget } from "shop-chat/react";
import "shop-chat/style.css";

export const metadata = { title: "Tarn & Tread" };

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        <ChatWidget agentName="Wren" shopName="Tarn & Tread" />
      </body>
    </html>
  );
}
