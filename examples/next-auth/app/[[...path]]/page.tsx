import Link from "next/link";
import { signIn, signOut } from "@/auth";

async function enter(form: FormData) {
  "use server";
  await signIn("credentials", { customer: String(form.get("customer")), redirectTo: "/" });
}

async function leave() {
  "use server";
  await signOut({ redirectTo: "/" });
}

export default function Page() {
  return (
    <>
      <form action={enter}>
        <input aria-label="Customer" name="customer" />
        <button type="submit">Sign in</button>
      </form>
      <form action={leave}>
        <button type="submit">Sign out</button>
      </form>
      <Link href="/dynamic">Elsewhere</Link>
    </>
  );
}
