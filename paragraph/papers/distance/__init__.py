"""Labels by their distance: the reach of transitivity (Jurišić, Miličević and Srzić 2023)."""
