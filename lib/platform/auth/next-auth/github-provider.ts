import type { NextAuthOptions } from "next-auth";
import GithubProvider from "next-auth/providers/github";

export const createGithubProvider = GithubProvider;
export type SignInCallbacks = NextAuthOptions["callbacks"];
