import { BrandMark, brandLinkClasses } from '#web/ui/brand-mark.tsx';
import { HomeLink } from './home-link.tsx';
import { useProduct } from './product.ts';

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
