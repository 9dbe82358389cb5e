import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SandboxProviderScreen } from "@/components/accounts/sign-in/sandbox-provider-screen";
import { findSandboxPage } from "@/lib/accounts/social-sign-in/sandbox-sign-in";

type Props = {
  params: Promise<{ provider: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

async function findPage({ params, searchParams }: Props) {
  return findSandboxPage((await params).provider, await searchParams);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const page = await findPage(props);
  return page ? { title: { absolute: page.labels[page.provider] } } : {};
}

/** The sandbox's page in place of a provider's. 404 outside of the sandbox, and where the provider is configured. */
export default async function SandboxProviderPage(props: Props) {
  const page = await findPage(props);
  if (!page) notFound();
  return <SandboxProviderScreen page={page} />;
}
