package shop;

import java.util.List;

/** A shop. */
@Deprecated
public class Shop implements Runnable {
    private static final int LIMIT = 10;

    public Shop(String name) {
    }

    @Override
    public void run() {
    }

    enum Colour { RED, GREEN }

    interface Seller {
        int sell(List<String> names);
    }
}

record Point(int x, int y) {}
