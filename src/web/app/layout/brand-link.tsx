import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { BrandMark, brandLinkClasses } from '#web/ui/page/brand-mark.tsx';
import { useProduct } from '../api/product.ts';
import { useAuth } from '../auth/auth-provider.tsx';

/** The product's mark and name, linked home. */
export function BrandLink() {
  const { brand } = useProduct();
  return (
    <HomeLink className={brandLinkClasses}>
      <BrandMark />
      {brand}
    </HomeLink>
  );
}

/** Leads home: to the dashboard, or, for a visitor, to the server-rendered start page. */
export function HomeLink(props: Omit<ComponentProps<'a'>, 'href'>) {
  const { user, loading } = useAuth();
  return <Link to="/" {...props} reloadDocument={!user && !loading} activeProps={{}} />;
}
