import { notFound } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { formatPrice } from "@/lib/platform/money";
import { findRedirectPage } from "@/lib/platform/stripe/sandbox/redirects";

type Props = {
  params: Promise<{ intent: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export const metadata = { title: { absolute: "Sandbox: payment page" } };

const NAMES = { alipay: "Alipay", wechat_pay: "WeChat Pay" };

/** The sandbox's page in place of Alipay's and WeChat Pay's, which ends as one chooses. 404 outside of the sandbox. */
export default async function SandboxPaymentPage({ params, searchParams }: Props) {
  const { intent } = await params;
  const link = String((await searchParams).link ?? "");
  const found = await findRedirectPage(intent, link);
  if (!found) notFound();
  const name = NAMES[found.method];
  return (
    <main className="mx-auto flex max-w-column flex-col gap-6 p-6">
      <h1 className="text-21">Sandbox: {name}</h1>
      <Notice>
        In a live shop this is the page or the app of {name}. In the demo you choose how the payment of{" "}
        {formatPrice(found.amountCents, "en")} ends. Closing this tab is an ending too.
      </Notice>
      <form method="post" action={`/dev/pay/${intent}/answer`} className="flex flex-wrap gap-3">
        <input type="hidden" name="link" value={link} />
        {found.open ? (
          <>
            <Button type="submit" look="primary" name="choice" value="paid">
              Pay
            </Button>
            <Button type="submit" name="choice" value="later_paid">
              Pay, confirmed a minute later
            </Button>
            <Button type="submit" name="choice" value="later_refused">
              Refused a minute later
            </Button>
            <Button type="submit" name="choice" value="refused">
              Refuse
            </Button>
            <Button type="submit" name="choice" value="expired">
              Let it expire
            </Button>
          </>
        ) : (
          <>
            <p className="w-full">This payment is over. Nothing more can be paid here.</p>
            <Button type="submit" look="primary" name="choice" value="expired">
              Back to the shop
            </Button>
          </>
        )}
      </form>
    </main>
  );
}
