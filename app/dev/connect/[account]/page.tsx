import { notFound } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { findOnboarding } from "@/lib/platform/stripe/sandbox/connect-accounts";

type Props = {
  params: Promise<{ account: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export const metadata = { title: { absolute: "Sandbox: payment provider" } };

/** The sandbox's page in place of the payment provider's, on which a merchant gives its details. 404 outside of the sandbox. */
export default async function SandboxOnboardingPage({ params, searchParams }: Props) {
  const { account } = await params;
  const token = String((await searchParams).link ?? "");
  const found = await findOnboarding(account, token);
  if (!found) notFound();
  return (
    <main className="mx-auto flex max-w-column flex-col gap-6 p-6">
      <h1 className="text-21">Sandbox: payment provider</h1>
      <Notice>
        In a live shop {found.name} gives its bank details to the payment provider here. In the demo you
        choose how that ends.
      </Notice>
      <form method="post" action={`/dev/connect/${account}/answer`} className="flex flex-wrap gap-3">
        <input type="hidden" name="link" value={token} />
        <Button type="submit" look="primary" name="choice" value="complete">
          Complete
        </Button>
        <Button type="submit" name="choice" value="document_missing">
          A document is missing
        </Button>
        <Button type="submit" name="choice" value="refuse">
          Refuse the merchant
        </Button>
        <Button type="submit" name="choice" value="link_expired">
          The link has expired
        </Button>
      </form>
    </main>
  );
}
