import { BrandMark, brandLinkClasses } from '#web/ui/page/brand-mark.tsx';
import { useProduct } from '../api/product.ts';
import { HomeLink } from '../auth/home-link.tsx';

/** The product's mark and name, leading home. */
export function BrandLink() {
  const { brand } = useProduct();
  return (
    <HomeLink className={brandLinkClasses}>
      <BrandMark />
      {brand}
    </HomeLink>
  );
}
