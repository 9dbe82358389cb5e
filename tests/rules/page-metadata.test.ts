import { describe, expect, it } from "vitest";
import { publicMetadata, webPageJsonLd } from "@/lib/platform/pages/metadata";

const page = { origin: "https://shop.example", brand: "Shop", locale: "ja", surface: "desktop" } as const;
const labels = { title: "Offers", description: "What runs now" };

describe("publicMetadata", () => {
  it("names the desktop canonical, translations on the same surface, and the mobile page", () => {
    expect(publicMetadata("/limited-offer", page, labels).alternates).toEqual({
      canonical: "https://shop.example/ja/limited-offer",
      languages: {
        en: "https://shop.example/limited-offer",
        "zh-Hans": "https://shop.example/zh/limited-offer",
        ja: "https://shop.example/ja/limited-offer",
        "x-default": "https://shop.example/limited-offer",
      },
      media: { "only screen and (max-width: 640px)": "https://shop.example/ja/mobile/limited" },
    });
  });

  it("of the mobile page names the desktop canonical and no other surface", () => {
    const { alternates } = publicMetadata("/", { ...page, surface: "mobile" }, labels);
    expect(alternates?.canonical).toBe("https://shop.example/ja");
    expect(alternates?.languages).toMatchObject({ ja: "https://shop.example/ja/mobile" });
    expect(alternates?.media).toBeUndefined();
  });

  it("excludes a page from the index on request", () => {
    const metadata = publicMetadata("/top-trending", page, { ...labels, indexed: false });
    expect(metadata.robots).toEqual({ index: false, follow: true });
    expect(metadata.alternates).toBeUndefined();
  });
});

it("a page of text is a WebPage of the shop, with the path to it", () => {
  const names = { name: "Terms", description: "What holds", home: "Home" };
  expect(webPageJsonLd("/terms-of-service", page, names)).toMatchObject([
    {
      "@type": "WebPage",
      url: "https://shop.example/ja/terms-of-service",
      inLanguage: "ja",
      isPartOf: { "@id": "https://shop.example/#store" },
    },
    {
      "@type": "BreadcrumbList",
      itemListElement: [
        { position: 1, name: "Home", item: "https://shop.example/ja" },
        { position: 2, name: "Terms", item: "https://shop.example/ja/terms-of-service" },
      ],
    },
  ]);
});
