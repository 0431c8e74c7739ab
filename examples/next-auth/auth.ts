import NextAuth from "next-auth";
import Credentials from "next-auth/providers/credentials";

export const { auth, handlers, signIn, signOut } = NextAuth({
  trustHost: true,
  // Believes everybody: in its place comes your own provider.
  providers: [
    Credentials({
      credentials: { customer: { label: "Customer" } },
      authorize: ({ customer }) => ({ id: String(customer), name: `Customer ${customer}` }),
    }),
  ],
  callbacks: {
    // `token.sub` would change with every sign-in without this line.
    jwt: ({ token, user }) => (user?.id ? { ...token, sub: user.id } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }),
  },
});
