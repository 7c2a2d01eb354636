<?php

namespace Shop;

const LIMIT = 10;

interface Seller
{
    public function sell(string $name): bool;
}

trait Named
{
    private string $name;
}

final class Item implements Seller
{
    use Named;

    const MOST = 3;

    public function sell(string $name): bool
    {
        return true;
    }
}

enum Colour: string
{
    case Red = "red";
}

function total(array $items): float
{
    return 0.0;
}
