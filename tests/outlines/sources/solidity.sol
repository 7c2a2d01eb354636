// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface ISeller {
    function sell(string memory name) external returns (bool);
}

library Sums {
    function add(uint a, uint b) internal pure returns (uint) {
        return a + b;
    }
}

contract Shop is ISeller {
    uint constant LIMIT = 10;

    struct Item {
        string name;
    }

    enum Colour { Red, Green }

    event Sold(string name);

    error Closed();

    modifier open() {
        _;
    }

    constructor(string memory name) {
    }

    function sell(string memory name) external override returns (bool) {
        return true;
    }
}
